#!/usr/bin/env python3
#===- schema.py - Reports against docs/report.schema.json -----------------===#
#
# Part of the Transient project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A validator for the part of JSON Schema that the schema uses. A keyword that
# it does not know is an error, so the schema cannot outgrow it unnoticed. Also
# checks what a schema cannot say: references between parts, and sums.
#===-----------------------------------------------------------------------===#
"""Validates reports: schema.py SCHEMA.json REPORT.json..."""

import json
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool,
         "integer": int, "null": type(None)}
IGNORED = {"$schema", "$id", "$comment", "title", "$defs"}


def has_type(value, name):
    if name == "integer" and isinstance(value, bool):
        return False
    return isinstance(value, TYPES[name])


class Validator:
    def __init__(self, schema):
        self.root = schema

    def check(self, value, schema, path):
        """Yields one sentence for each thing that is wrong."""
        for keyword, rule in schema.items():
            if keyword in IGNORED:
                continue
            method = getattr(self, "check_" + keyword.lstrip("$"), None)
            if method is None:
                raise ValueError(f"schema keyword {keyword!r} is not known")
            yield from method(value, rule, path, schema)

    def check_ref(self, value, rule, path, _):
        schema = self.root
        for part in rule.lstrip("#/").split("/"):
            schema = schema[part]
        yield from self.check(value, schema, path)

    def check_type(self, value, rule, path, _):
        names = rule if isinstance(rule, list) else [rule]
        if not any(has_type(value, name) for name in names):
            yield f"{path}: expected {' or '.join(names)}, got {value!r}"

    def check_const(self, value, rule, path, _):
        if value != rule:
            yield f"{path}: expected {rule!r}, got {value!r}"

    def check_enum(self, value, rule, path, _):
        if value not in rule:
            yield f"{path}: expected one of {rule}, got {value!r}"

    def check_pattern(self, value, rule, path, _):
        if isinstance(value, str) and not re.search(rule, value):
            yield f"{path}: {value!r} does not match {rule}"

    def check_minimum(self, value, rule, path, _):
        if has_type(value, "integer") and value < rule:
            yield f"{path}: {value} is below {rule}"

    def check_maximum(self, value, rule, path, _):
        if has_type(value, "integer") and value > rule:
            yield f"{path}: {value} is above {rule}"

    def check_uniqueItems(self, value, rule, path, _):
        if rule and len({json.dumps(item) for item in value}) != len(value):
            yield f"{path}: items repeat"

    def check_items(self, value, rule, path, _):
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield from self.check(item, rule, f"{path}[{index}]")

    def check_required(self, value, rule, path, _):
        if isinstance(value, dict):
            for key in rule:
                if key not in value:
                    yield f"{path}: lacks {key!r}"

    def check_properties(self, value, rule, path, _):
        if isinstance(value, dict):
            for key, item in value.items():
                if key in rule:
                    yield from self.check(item, rule[key], f"{path}.{key}")

    def check_additionalProperties(self, value, rule, path, schema):
        if isinstance(value, dict) and rule is False:
            for key in value:
                if key not in schema["properties"]:
                    yield f"{path}: unexpected key {key!r}"

    def check_anyOf(self, value, rule, path, _):
        wrong = [list(self.check(value, option, path)) for option in rule]
        if all(wrong):
            yield min(wrong, key=len)[0]


def references(report):
    """What the parts of a report say about each other."""
    for function in report["functions"]:
        name, amounts = function["name"], function["bytes"]
        resources = {r["id"]: r for r in function["resources"]}
        known = [r["bytes"] for r in resources.values()
                 if r["bytes"] != "unknown"]
        # Values of one allocation count once.
        webs = [r["web_of"] for r in resources.values() if "web_of" in r]
        if function["webs"] != {"split": len(set(webs)), "webs": len(webs)}:
            yield f"{name}: webs is wrong"
        allocations = {r.get("web_of", i): r["bytes"]
                       for i, r in resources.items() if r["bytes"] != "unknown"}
        if amounts["logical"] != sum(allocations.values()):
            yield f"{name}: logical is not the sum of the allocations"
        if amounts["unknown_count"] != len(resources) - len(known):
            yield f"{name}: unknown_count is wrong"
        # Storage that callers pass in counts there, not here.
        served = function.get("workspace")
        if served and (amounts["physical"] or amounts["lower_bound"]["value"]
                       or amounts["peak_upper"]["value"]):
            yield f"{name}: counts what its callers pass in"
        storage = served or amounts
        if storage["physical"] != sum(p["bytes"] for p in function["physical"]):
            yield f"{name}: physical is not the sum of the physical buffers"
        held = storage["physical"] + amounts["unplanned"]
        if amounts["saved"] != max(0, amounts["logical"] - held):
            yield f"{name}: saved is wrong"
        placed = set()
        for place in function["assignments"]:
            placed.add(place["resource"])
            if place["offset"] + place["bytes"] > \
                    function["physical"][place["physical"]]["bytes"]:
                yield f"{name}: {place['resource']} lies outside its storage"
            if place["offset"] % resources[place["resource"]]["align"]:
                yield f"{name}: {place['resource']} is not aligned"
        for resource in resources.values():
            if resource["planned"] != (resource["id"] in placed):
                yield f"{name}: planned of {resource['id']} is wrong"
        for pair in function["sharing"]:
            if not {pair["a"], pair["b"]} <= placed:
                yield f"{name}: {pair['a']} and {pair['b']} share unplaced"
        if sum(r["bytes"] for r in function["peak_residents"]) > \
                storage["lower_bound"]["value"]:
            yield f"{name}: the residents outweigh the bound"
        listed = {r["id"] for r in function["inventory"] if r["kind"] != "view"}
        if not resources.keys() <= listed:
            yield f"{name}: a resource is not in the inventory"
        if any(r["kind"] == "view" and r["view_of"] not in listed
               for r in function["inventory"]):
            yield f"{name}: a view of what is not in the inventory"
        if function["overlapping_pairs"] < len(function["sharing"]):
            yield f"{name}: overlapping_pairs is wrong"
        if len(function["order"].get("after", [])) not in \
                (0, function["order"]["nodes"]):
            yield f"{name}: not one list of edges a node"
        workspaces = function.get("workspaces")
        if workspaces and workspaces["lower"] > workspaces["upper"]:
            yield f"{name}: workspaces is no interval"


def main(schema_path, *reports):
    with open(schema_path, encoding="utf-8") as file:
        validator = Validator(json.load(file))
    wrong = 0
    for path in reports:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        messages = list(validator.check(report, validator.root, "$"))
        if not messages:
            messages = list(references(report))
        for message in messages[:20]:
            print(f"{path}: {message}", file=sys.stderr)
        wrong += bool(messages)
    print(f"{len(reports) - wrong} of {len(reports)} reports are valid")
    return 1 if wrong or not reports else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
