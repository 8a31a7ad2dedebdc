"""Validates model files by the JSON schema that `deltaflow blocks --schema` prints.

usage: validate.py PROGRAM FILE|FOLDER...

Every file has to be valid, but those called wrong.toml: a schema that warns of nothing would be of no use.
"""
import json
import pathlib
import subprocess
import sys
import tomllib

import jsonschema


def models(arguments):
    for argument in map(pathlib.Path, arguments):
        yield from sorted(argument.rglob("*.toml")) if argument.is_dir() else [argument]


def open_tables(schema, where=""):
    """Tables that list keys and do not say whether there may be others: strict editors then take no others."""
    if isinstance(schema, list):
        for i, part in enumerate(schema):
            yield from open_tables(part, f"{where}/{i}")
    if isinstance(schema, dict):
        is_table = isinstance(schema.get("properties"), dict) or schema.get("type") == "object"
        if is_table and "additionalProperties" not in schema:
            yield where
        for key, part in schema.items():
            yield from open_tables(part, f"{where}/{key}")


def main(program, *arguments):
    schema = json.loads(subprocess.run([program, "blocks", "--schema"], check=True, capture_output=True).stdout)
    validator_class = jsonschema.validators.validator_for(schema)
    validator_class.check_schema(schema)
    validator = validator_class(schema)
    count = wrong = 0
    for where in open_tables(schema):
        wrong += 1
        print(f"schema: {where}: are other keys allowed?")
    for path in models(arguments):
        count += 1
        errors = list(validator.iter_errors(tomllib.loads(path.read_text())))
        if path.name == "wrong.toml":
            wrong += not errors
            continue
        wrong += len(errors)
        for error in errors:
            best = jsonschema.exceptions.best_match([error])
            print(f"{path}: {'.'.join(map(str, best.absolute_path))}: {best.message[:300]}")
    print(f"{count} models, {wrong} warnings")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
