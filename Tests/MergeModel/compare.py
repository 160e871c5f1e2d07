"""Compares the Swift merge with the model over random lists:

    swift build --product merge-probe
    python3 Tests/MergeModel/compare.py [cases] [seed] [the probe's path]

Each case is one line to the probe and one line back. The first difference is shown, with the line that makes it, and ends the run.
"""
import random
import subprocess
import sys

from histories import dump, random_triple, says
from merge import merge
from reading import canonical, parse

BATCH = 1000


def compare(cases, first, probe):
    equal = with_base = new = 0
    for start in range(first, first + cases, BATCH):
        triples, lines = [], []
        for seed in range(start, min(start + BATCH, first + cases)):
            source = random.Random(seed)
            triples.append(random_triple(source))
            lines.append("[" + ",".join("null" if root is None else dump(root, source) for root in triples[-1]) + "]")
        run = subprocess.run([probe], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
        answers = run.stdout.splitlines()
        if len(answers) != len(lines):
            raise SystemExit(f"{len(answers)} answers to {len(lines)} lines")
        for offset, ((base, ours, theirs), line, answer) in enumerate(zip(triples, lines, answers)):
            expected = canonical(merge(base, ours, theirs))
            if answer.startswith("!") or says(parse(answer)) != expected:
                print(f"seed {start + offset}\n{line}\nSwift: {answer}\nmodel: {expected.decode()}")
                return 1
            equal += says(ours) == says(theirs)
            with_base += base is not None
            new += expected not in (says(ours), says(theirs))
    print(f"{cases} merges from seed {first} are the same in Swift and in the model: {with_base} with a base, "
          f"{equal} of equal lists, {new} with a result that neither side had")
    return 0


if __name__ == "__main__":
    cases, first, probe = (sys.argv[1:] + ["2000", "1", ".build/debug/merge-probe"][len(sys.argv) - 1:])[:3]
    sys.exit(compare(int(cases), int(first), probe))
