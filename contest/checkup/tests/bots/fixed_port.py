import os
import socket

server = socket.create_connection(("127.0.0.1", int(os.environ["USUAL_PORT"])))
server.sendall(b"joueur;fixed\0")
server.recv(1000)
