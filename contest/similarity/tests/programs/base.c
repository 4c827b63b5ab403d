#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int rows, cols, players;
static char me, cells[300][300];
static struct { char colour; int row, col, ghost_row, ghost_col; } player[26];

static void decode(char *text) {
    me = text[4];
    char *board = strstr(text, "--------------------\n") + 21;
    sscanf(board, "%d;%d", &rows, &cols);
    char *line = strchr(board, '\n') + 1;
    for (int row = 0; row < rows; row++) {
        memcpy(cells[row], line, cols);
        line = strchr(line, '\n') + 1;
    }
    line = strstr(line, "--------------------\n") + 21;
    for (players = 0; *line; players++) {
        int points, faults;
        sscanf(line, "%c;%d;%d;%d;%d;%d;%d", &player[players].colour, &points, &faults, &player[players].row,
               &player[players].col, &player[players].ghost_row, &player[players].ghost_col);
        line = strchr(line, '\n') + 1;
    }
}

void orders(char answer[3]);

int main(int argc, char **argv) {
    struct addrinfo *address;
    if (argc < 3 || getaddrinfo(argv[1], argv[2], NULL, &address)) return 1;
    int server = socket(address->ai_family, SOCK_STREAM, 0);
    if (connect(server, address->ai_addr, address->ai_addrlen)) return 1;
    write(server, "joueur;C", 9);
    static char text[1 << 20];
    int length = 0;
    while (read(server, &text[length], 1) == 1) {
        if (text[length++]) continue;
        if (strncmp(text, "jeu;", 4)) return 0;
        char answer[3] = "";
        decode(text);
        orders(answer);
        write(server, answer, 3);
        length = 0;
    }
    return 0;
}

// YOUR CODE
