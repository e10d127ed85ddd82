#!/usr/bin/env python3
"""Writes the table files beside it: python3 generate.py DATA_DIR [OUT_DIR]

DATA_DIR holds facts gathered from the upstream sources: megatron_flags.jsonl.gz, megatron_fields.jsonl.gz,
bridge_keys.jsonl.gz, bridge_recipes.jsonl.gz, bridge_defaults.json. The same data gives the same bytes. Not needed to
build: the files are committed. The form of each file is told in its own first lines.
"""

import gzip
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the folder holds sources only
from canonical_keys import INVERTED, Canon
from recipe_table import recipe_lines

HERE = Path(__file__).resolve().parent
TREES = ["core_v0.15.0", "core_v0.16.0", "core_v0.17.0", "core_v0.18.0", "core_v0.19.0", "pin", "head"]
VERSIONS = "versions: first and last, counted from 0 in 0.15 0.16 0.17 0.18 0.19 bridge-pin main dev; dev has what main has"
DATES = {"d98e8a64ddf34856e74b24714e3bedb2f5a39553": "2026-08-22", "2a75ac12c54ba6a42b34024756820bf819a2e25f": "2026-08-13",
         "067f987df03b8355b03192d88d70f1709fedf51a": "2026-08-22"}
# What only the dev branch of NVIDIA/Megatron-LM has for offloading the optimizer, read there at d48bd6be0a (2026-08-21).
DEV = str(len(TREES)) * 2
DEV_FIELDS = [("chunked_optimizer_state_offload", "bool", "false"), ("offload_optimizer_states", "bool", "false"),
              ("optimizer_state_offload_chunk_size_mb", "int", "0"), ("optimizer_state_offload_fraction", "float", "1.0")]
# Classes of one section, the earlier one wins where several declare a field (heirs only add).
SECTION_CLASSES = {
    "model": ["TransformerConfig", "ModelParallelConfig", "MLATransformerConfig"],
    "optimizer": ["OptimizerConfig", "AdamOptimizerConfig", "SGDOptimizerConfig"],
    "ddp": ["DistributedDataParallelConfig"],
}
# Classes whose fields are keys where a recipe uses the class, though none of the known recipes does.
RARE_CLASSES = {
    "dataset": ["DirectHFSFTDatasetConfig", "EnergonDatasetConfig", "MockVLMSFTDatasetConfig"],
    "model": ["T5ModelProvider", "MegatronMIMOProvider"],
    "peft": ["VLMLoRA", "MultiLoRA", "CanonicalLoRA", "DoRA"],
    "ft": ["FaultToleranceConfig"],
    "inprocess_restart": ["InProcessRestartConfig"],
    "nvrx_straggler": ["NVRxStragglerDetectionConfig"],
    "straggler": ["StragglerDetectionConfig"],
    "tensor_inspect": ["TensorInspectConfig"],
}


def rows(data, name):
    with gzip.open(data / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def literal(value):
    """A value in JSON, with Infinity; tabs and line ends come out escaped."""
    return json.dumps(float("inf") if value == "inf" else value, ensure_ascii=False, separators=(",", ":"))


def sources(*pairs):
    return [f"# {repository} {commit} {DATES.get(commit, '')}".rstrip() for repository, commit in pairs]


def megatron(source):
    return sources(*[("NVIDIA/Megatron-LM", source["commits"][tree]) for tree in reversed(TREES)])


def spans(row, make):
    """(first, last, columns) of each run of versions in which make(row as it was) gives the same columns."""
    found = []
    for at, tree in enumerate(TREES):
        if tree not in row["trees"]:
            continue
        then = {**row, **row["differs"].get(tree, {})}
        columns = make({name: value for name, value in then.items() if value != "<absent>"})
        if found and found[-1][1] == at - 1 and found[-1][2] == columns:
            found[-1][1] = at
        else:
            found.append([at, at, columns])
    return found


TYPES = {None: "str", "str": "str", "int": "int", "float": "float", "bool": "bool", "enum_type_handler": "str",
         "_parse_cuda_graph_modules_arg": "str", "<lambda>": "str"}
ACTIONS = {"store": "store", "store_true": "true", "store_false": "false", "boolean_optional": "either"}


def flag_columns(canon):
    def columns(row):
        dest, action, default = row["dest"], ACTIONS[row["action"]], row["default"]
        key = canon.key(dest)
        if dest in INVERTED:
            assert action == "true" and not default, row
            action, default = "false", True
        choices = [str(choice) for choice in row["choices"] or []]
        assert not any("|" in choice for choice in choices), row
        nargs = {None: "", 0: "0"}.get(row["nargs"], str(row["nargs"]))
        kind = "bool" if nargs == "0" else TYPES.get(row["type"], "other")
        scripts = "all" if row["scripts"] == "all" else ",".join(row["scripts"])
        return [row["flag"], " ".join(row["aliases"]), key, "" if key.endswith("." + dest) else dest, scripts, action,
                "" if nargs == "0" else nargs, kind, "|".join(choices), literal(default)]
    return columns


# (option, script) -> tree: the script has an option of its own by a name that other scripts have too. The data holds the attributes
# of one only; those of the script stand under the tree in which it was alone.
OWN_OPTIONS = {("--model-provider", "mimo"): "core_v0.15.0"}


def without_script(row, script):
    """The row as the other scripts have it."""
    then = {tree: {**row, **row["differs"].get(tree, {})} for tree in row["trees"]}
    for state in then.values():
        state["scripts"] = [name for name in state["scripts"] if name != script]
    return {**row, "trees": [tree for tree in row["trees"] if then[tree]["scripts"]], "differs": then}


def separated(flags):
    """The rows, each script's own option apart."""
    own = {flag: (script, tree) for (flag, script), tree in OWN_OPTIONS.items()}
    for row in flags:
        if row["flag"] in own:
            script, tree = own[row["flag"]]
            yield {**row, **row["differs"][tree], "scripts": [script], "differs": {}}
            row = without_script(row, script)
        yield row


def flag_table(data, canon):
    source, *flags = rows(data, "megatron_flags")
    lines = megatron(source["_source"]) + [
        "# option, aliases, versions, key, dest (empty: the key's last word), scripts, action, nargs, type, choices, default",
        "# " + VERSIONS]
    for row in separated(flags):
        for first, last, (flag, aliases, key, dest, *rest) in spans(row, flag_columns(canon)):
            lines.append("\t".join([flag, aliases, f"{first}{last}", key, dest, *rest]))
    for name, kind, default in DEV_FIELDS:
        action = "true" if kind == "bool" else "store"
        lines.append("\t".join(["--" + name.replace("_", "-"), "", DEV, "optimizer." + name, "", "all", action, "", kind, "", default]))
    return lines


def field_rows(data):
    """(section, row) of each field; a field that several classes of a section declare comes from the first of them."""
    source, *fields = rows(data, "megatron_fields")
    kept = {}
    for section, classes in SECTION_CLASSES.items():
        for name in classes:
            for row in fields:
                if row["class"] == name:
                    kept.setdefault(f"{section}.{row['field']}", (name, row))
    return source["_source"], kept


def field_table(data):
    source, kept = field_rows(data)
    lines = megatron(source) + ["# key, class, versions, type, default (empty: required)", "# " + VERSIONS]
    made = [("optimizer." + name, "OptimizerConfig", DEV, kind, default) for name, kind, default in DEV_FIELDS]
    for key, (owner, row) in kept.items():
        for first, last, columns in spans(row, lambda then: [then["type"], literal(then["default"]) if "default" in then else ""]):
            made.append((key, owner, f"{first}{last}", *columns))
    return lines + ["\t".join(columns) for columns in sorted(made, key=lambda columns: columns[0])]


def key_marks(row, in_transformer, rare):
    return ("r" if row.get("required") else "") + ("n" if not row.get("override", True) else "") + \
           ("s" if row.get("value_classes") or row["type"].startswith("dict[str, str | int") else "") + \
           ("t" if in_transformer else "") + ("x" if rare else "")


def key_line(path, row, in_transformer=False, rare=False):
    default = row.get("default")
    if isinstance(default, str) and default.startswith("<"):
        default = None  # an object of that class
    return "\t".join([path, row["type"], key_marks(row, in_transformer, rare), literal(default)])


def bridge_keys(data):
    return {row["path"]: row for row in rows(data, "bridge_keys")[1:] if row["kind"] == "key"}


def rare_keys(data, known):
    fields = [row for row in rows(data, "bridge_keys")[1:] if row["kind"] == "field"]
    for section, classes in RARE_CLASSES.items():
        for row in fields:
            path = f"{section}.{row['field']}"
            if row["class"] in classes and path not in known and not row["field"].startswith("_"):
                yield path, row


def key_table(data):
    source, keys = rows(data, "bridge_keys")[0]["_source"], bridge_keys(data)
    inner = {path.removeprefix("model.transformer.") for path in keys if path.startswith("model.transformer.")}
    lines = sources((source["repository"], source["commit"]), (source["with"]["repository"], source["with"]["commit"])) + [
        "# key, type, marks, default",
        "# marks: r required, n not by KEY=VALUE, s has keys below, t also below model.transformer, x only where a recipe uses its class"]
    made = {path: key_line(path, row, path.startswith("model.") and path[6:] in inner)
            for path, row in keys.items() if not path.startswith("model.transformer.")}
    for word in inner:
        made.setdefault(f"model.{word}", key_line(f"model.{word}", keys[f"model.transformer.{word}"], True))
    for path, row in rare_keys(data, set(made)):
        made.setdefault(path, key_line(path, row, rare=True))
    return lines + [made[path] for path in sorted(made)]


def option_table(data):
    source, *keys = rows(data, "bridge_keys")
    lines = sources((source["_source"]["repository"], source["_source"]["commit"])) + [
        "# option of scripts/training/run_recipe.py, aliases, keys it writes, action, nargs, type, choices"]
    for row in keys:
        if row["kind"] == "cli":
            nargs = {None: "", 0: ""}.get(row["nargs"], str(row["nargs"]))
            writes = row["writes"] + row.get("also_syncs", [])
            lines.append("\t".join([row["flag"], " ".join(row["aliases"]), " ".join(writes), ACTIONS[row["action"]], nargs,
                                    "bool" if row["nargs"] == 0 else TYPES[row["type"]], "|".join(row["choices"] or [])]))
    return lines


def recipe_table(data):
    defaults = json.loads((data / "bridge_defaults.json").read_text(encoding="utf-8"))
    return sources(("NVIDIA-NeMo/Megatron-Bridge", defaults["bridge_commit"]),
                   ("NVIDIA/Megatron-LM", defaults["megatron_lm_commit"])) + recipe_lines(rows(data, "bridge_recipes"), defaults, literal)


def main():
    data = Path(sys.argv[1])
    out = Path(sys.argv[2]) if len(sys.argv) > 2 else HERE
    canon = Canon(field_rows(data)[1], bridge_keys(data))
    tables = {"flags": flag_table(data, canon), "fields": field_table(data), "keys": key_table(data),
              "options": option_table(data), "recipes": recipe_table(data)}
    for name, lines in tables.items():
        text = "\n".join(["# generated by generate.py; do not edit", *lines]) + "\n"
        (out / f"{name}.tsv").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
