R=llama3_8b_pretrain_config
CMD=(python run_recipe.py --recipe $R -tp 2)
CMD+=(model.cpu_offloading=true 'model.offload_modules=[a,b]')
"${CMD[@]}"
