"""Stands between a client and the server, passes everything on, and writes it down.

    python recorder.py FOLDER COMMAND…

The client starts this script in place of the server, which is COMMAND. Bytes go on at once, whole lines or not, so
that neither side sees a difference; the signals that a client ends a server with go on as well, and the script ends
with the server's status. Each run makes one file in FOLDER, a line of JSON for whatever happened, in order:

    {"from": "client", "line": "…"}     a line, without its newline; bytes that are no UTF-8 as lone surrogates
    {"from": "server", "line": "…"}
    {"from": "noise", "line": "…"}      standard error
    {"from": "client", "end": true}     the client closed its side
    {"signal": 15}                      a signal was passed on
    {"exit": 0}                         the server's status, negative where a signal ended it; always the last

A line stands in the file before it goes on, so a question always stands before its answer. A line that was never
ended has "open": true.
"""

import json
import os
import signal
import subprocess
import sys
import threading


class Recording:
    """The file of this run."""

    def __init__(self, folder: str) -> None:
        os.makedirs(folder, exist_ok=True)
        self._file = open(os.path.join(folder, f"{os.getpid()}.jsonl"), "x", encoding="ascii")
        self._lock = threading.RLock()  # a signal is handled wherever the main thread stands

    def add(self, **entry: object) -> None:
        with self._lock:
            self._file.write(json.dumps(entry) + "\n")
            self._file.flush()


def pass_on(source: int, target: int, name: str, recording: Recording) -> None:
    """Passes on until the source ends or the target is gone, then closes both."""
    rest = b""
    try:
        while data := os.read(source, 65536):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                recording.add(**{"from": name, "line": line.decode("utf-8", "surrogateescape")})
            while data:
                data = data[os.write(target, data) :]
    except OSError:
        pass  # whoever closed knows why; the other side learns of it by the closing below
    if rest:
        recording.add(**{"from": name, "line": rest.decode("utf-8", "surrogateescape"), "open": True})
    if name == "client":
        recording.add(**{"from": name, "end": True})
    os.close(source)
    os.close(target)


def main() -> None:
    recording = Recording(sys.argv[1])
    server = subprocess.Popen(
        sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )

    def forward(number: int, _: object) -> None:
        recording.add(signal=number)
        server.send_signal(number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, forward)

    def start(source: int, target: int, name: str) -> threading.Thread:
        thread = threading.Thread(target=pass_on, args=(source, target, name, recording), daemon=True)
        thread.start()
        return thread

    start(0, os.dup(server.stdin.fileno()), "client")
    server.stdin.close()
    outputs = [start(server.stdout.fileno(), 1, "server"), start(server.stderr.fileno(), 2, "noise")]
    status = server.wait()
    for thread in outputs:
        thread.join()
    recording.add(exit=status)
    # Not sys.exit: the thread that reads the client may be waiting for a client that never closes.
    os._exit(status if status >= 0 else 128 - status)


if __name__ == "__main__":
    main()
