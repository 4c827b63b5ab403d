from player import register

server = register()
server.sendall(b"NE\0")
server.recv(1000)
server.recv(1000)
