"""The processes in which queries run, and can be killed: a nest forks keepers and workers.

    program ── nest ── keeper (holds the triples of one store) ── worker, worker
                  └─── worker (opens a store directory by itself)

All of them end when what started them does: sockets and pipes close, whatever the reason.
"""
