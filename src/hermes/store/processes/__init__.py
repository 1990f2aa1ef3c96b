"""The processes in which queries run, and can be killed.

    program ── keeper (of one store) ── worker, worker                 where the program may be forked
    program ── nest ── keeper (of one store) ── worker, worker         where it has threads
    program ── worker, worker                                          where the system cannot fork

All of them end when what started them does: sockets and pipes close, whatever the reason.
"""
