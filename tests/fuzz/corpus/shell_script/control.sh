f() { local x=$1; case $x in a*) B=1;; *) B=2;; esac; torchrun t.py --micro-batch-size $B; }
for i in a b; do f $i; done
while [ $# -gt 0 ]; do shift; done
A=(1 2); A[1]=3; echo ${A[1]} ${#A[@]} ${X:-${Y%.*}} $((2**3))
