from player import connect

name, server = connect()
server.sendall(f"joueur;{name}\n".encode())
server.recv(1000)
