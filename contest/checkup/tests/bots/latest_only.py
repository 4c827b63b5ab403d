"""Answers only the last of the states that have come."""
from player import decode, orders, register

server = register()
received = b""
while data := server.recv(65536):
    received += data
    *complete, received = received.split(b"\0")
    if complete and complete[-1].startswith(b"quit"):
        break
    if complete:
        server.sendall(orders(decode(complete[-1].decode())).encode() + b"\0")
