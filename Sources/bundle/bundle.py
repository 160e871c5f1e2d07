"""Makes the bundle that hosts install, and keeps its manifest true.

    python3 Sources/bundle/bundle.py pack EXECUTABLE BUNDLE     the .mcpb file, a zip archive
    python3 Sources/bundle/bundle.py tools EXECUTABLE           manifest.json gets the tools that the server serves

The same files make the same bytes, whenever and by whomever: entries are sorted and dated 1980, and only the execute bit
of their modes is taken over. The manifest inside names the platform that the executable was made for.
"""

import json
import platform
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = ROOT / "manifest.json"
PLATFORMS = {"Linux": "linux", "Darwin": "darwin"}

# The earliest date that a zip archive can give.
DATE = (1980, 1, 1, 0, 0, 0)


def manifest() -> dict:
    """The manifest of the repository."""
    return json.loads(MANIFEST.read_text(encoding="utf-8"))


def text(value: dict) -> bytes:
    """A manifest as it is written."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def entries(executable: Path) -> dict[str, tuple[bytes, int]]:
    """What is in the bundle: the bytes and the mode of each name."""
    inside = manifest()
    inside["compatibility"]["platforms"] = [PLATFORMS[platform.system()]]
    return {
        "LICENSE": ((ROOT / "LICENSE").read_bytes(), 0o644),
        "icon.png": ((ROOT / "docs/icon.png").read_bytes(), 0o644),
        "manifest.json": (text(inside), 0o644),
        "server/get-bananas": (executable.read_bytes(), 0o755),
        "server/launch": ((ROOT / "Sources/bundle/launch").read_bytes(), 0o755),
    }


def pack(executable: Path, bundle: Path) -> None:
    """Writes the bundle, under its name only when it is whole."""
    bundle.parent.mkdir(parents=True, exist_ok=True)
    unfinished = bundle.with_suffix(".unfinished")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, (data, mode) in sorted(entries(executable).items()):
            entry = zipfile.ZipInfo(name, DATE)
            entry.create_system = 3  # Unix: the modes count
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    unfinished.replace(bundle)
    print(f"{bundle}: {bundle.stat().st_size / 1e6:.1f} MB")


def renew_tools(executable: Path) -> None:
    """Asks the server for its tools."""
    requests = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                                                     "clientInfo": {"name": "bundle", "version": "1"}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **request}) + "\n" for request in requests)
    answers = subprocess.run([executable], input=lines, capture_output=True, text=True, check=True).stdout
    tools = [answer for answer in map(json.loads, answers.splitlines()) if answer.get("id") == 2][0]["result"]["tools"]
    renewed = manifest()
    renewed["tools"] = [{"name": tool["name"], "description": tool["description"]} for tool in tools]
    MANIFEST.write_bytes(text(renewed))


def main() -> None:
    """Does what the command line says."""
    match sys.argv[1:]:
        case ["pack", executable, bundle]:
            pack(Path(executable), Path(bundle))
        case ["tools", executable]:
            renew_tools(Path(executable))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
