O="\
 --lr 1e-4 \
 --bf16"
if [ $Q = 1 ]; then O="$O --fp16"; fi
[[ -n $L && $L -gt 2 ]] && O+=" --x"
srun bash -c "python pretrain_bert.py $O"
