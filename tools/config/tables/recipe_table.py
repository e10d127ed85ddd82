"""The lines of recipes.tsv."""

# Short names that upstream's compatibility module exports: megatron/bridge/recipes/qwen/qwen3_moe.py. They stand for the
# recipes of the library package, also where the perf package has one of the same name.
ALIASES = {
    "qwen3_30b_a3b_peft_config": "qwen3_30b_a3b_peft_4gpu_h100_bf16_config",
    "qwen3_30b_a3b_pretrain_config": "qwen3_30b_a3b_pretrain_16gpu_h100_bf16_config",
    "qwen3_30b_a3b_sft_config": "qwen3_30b_a3b_sft_8gpu_h100_bf16_config",
    "qwen3_235b_a22b_peft_config": "qwen3_235b_a22b_peft_16gpu_h100_bf16_config",
    "qwen3_235b_a22b_pretrain_config": "qwen3_235b_a22b_pretrain_256gpu_h100_bf16_config",
    "qwen3_235b_a22b_sft_config": "qwen3_235b_a22b_sft_64gpu_h100_bf16_config",
}
# What the recipes set where they set a path: below the working folder (as the dumps of their containers show).
RECIPE_PATH = "nemo_experiments/default/checkpoints"
PRECISION = "megatron.bridge.training.mixed_precision.MixedPrecisionConfig"

LEGEND = [
    "# class NAME, the class it extends, FIELD=DEFAULT...",
    "# section NUMBER, number of the section it starts from, path, class, FIELD=VALUE... (-FIELD takes one away; an empty FIELD is the section itself)",
    "# precision NAME, section",
    "# recipe NAME, kind, GPUs, model class, b where builder style, s where the model's numbers are hand-entered, Hugging Face id, sections",
    "# alias NAME, recipe",
    "# NAME@library: the library's recipe where the perf package has one of the same name, which run_recipe picks",
]


class Sections:
    """Numbers distinct sections and writes each as its difference from the most similar one before it."""

    def __init__(self, literal):
        self.literal = literal
        self.numbers = {}
        self.lines = []
        self.seen = {}

    def add(self, path, owner, values):
        made = {field: self.literal(value) for field, value in sorted(values.items())}
        identity = (path, owner, tuple(made.items()))
        if identity not in self.numbers:
            self.numbers[identity] = len(self.numbers)
            self.lines.append(self.line(path, owner, made))
            self.seen.setdefault((path, owner), []).append((self.numbers[identity], made))
        return self.numbers[identity]

    def line(self, path, owner, made):
        start, best = "", [f"{field}={value}" for field, value in made.items()]
        for number, earlier in self.seen.get((path, owner), []):
            change = [f"-{field}" for field in earlier if field not in made]
            change += [f"{field}={value}" for field, value in made.items() if earlier.get(field) != value]
            if len("\t".join(change)) + 4 < len("\t".join(best)):
                start, best = str(number), change
        return "\t".join(["section", str(len(self.numbers) - 1), start, path, owner, *best])


def classes_lines(defaults, literal):
    for name, entry in sorted(defaults["classes"].items()):
        fields = [f"{field}={literal(value)}" for field, value in sorted(entry["fields"].items())]
        yield "\t".join(["class", name, entry.get("extends", ""), *fields])


def pieces(recipe, precisions):
    """(path, class, values) of each part of a recipe: one a dataclass, nested ones apart."""
    values, classes = recipe["values"], recipe["classes"]
    todo = [(path, value) for path, value in values.items()]
    while todo:
        path, value = todo.pop(0)
        owner = classes.get(path, "")
        if path == "mixed_precision" and isinstance(value, str):
            yield path, PRECISION, {"": value, **precisions[value]}
            continue
        if not isinstance(value, dict):
            yield path, "", {"": value}
            continue
        value = dict(value)
        for field in list(value):
            if f"{path}.{field}" in classes:
                todo.append((f"{path}.{field}", value.pop(field)))
        for key in recipe["paths_set"]:
            if key.rpartition(".")[0] == path:
                value[key.rpartition(".")[2]] = RECIPE_PATH
        yield path, owner, value


def recipe_line(name, recipe, row, sections, precisions):
    numbers = [sections.add(*piece) for piece in pieces(recipe, precisions)]
    builder = "b" if "model.transformer" in recipe["classes"] else ""
    standin = "s" if row["hf_standin"] else ""
    return "\t".join(["recipe", name, recipe["kind"], str(row["gpus"] or 0), recipe["classes"]["model"], builder, standin,
                      row["hf_id"] or "", " ".join(map(str, numbers))])


def recipe_lines(rows, defaults, literal):
    sections, recipes, names = Sections(literal), [], set()
    precisions = defaults["mixed_precision_names"]
    for row in sorted(rows, key=lambda row: row["recipe"]):
        recipes.append(recipe_line(row["recipe"], row, row, sections, precisions))
        names.add(row["recipe"])
        other = row.get("alternative", {})
        if "values" in other:
            recipes.append(recipe_line(row["recipe"] + "@library", other, row, sections, precisions))
            names.add(row["recipe"] + "@library")
    named = ["\t".join(["precision", name, str(sections.add("mixed_precision", PRECISION, {"": name, **fields}))])
             for name, fields in sorted(precisions.items())]
    aliases = ["\t".join(["alias", name, target + "@library" if target + "@library" in names else target])
               for name, target in sorted(ALIASES.items())]
    # sections in the order of their numbers, everything else in the order of the names: that is how they are looked up
    recipes.sort(key=lambda line: line.split("\t")[1])
    return LEGEND + list(classes_lines(defaults, literal)) + sections.lines + named + recipes + aliases
