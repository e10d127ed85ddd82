T=2
cat > j.sh <<EOF
srun python pretrain_gpt.py --tensor-model-parallel-size $T \$S
EOF
bash <<'E'
eval "torchrun train_rl.py"
E
C=$(cat <<X
a
X
)
