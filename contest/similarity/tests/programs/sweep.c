#define BIG 1000000
static const int step_row[4] = {-1, 0, 1, 0}, step_col[4] = {0, 1, 0, -1};
static int far[300][300];

/* Relaxes all cells again and again until nothing changes (Bellman-Ford). */
static void relax(void) {
    int changed = 1;
    while (changed) {
        changed = 0;
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < cols; c++) {
                if (cells[r][c] == '#') continue;
                for (int d = 0; d < 4; d++) {
                    int near = far[(r + step_row[d] + rows) % rows][(c + step_col[d] + cols) % cols] + 1;
                    if (near < far[r][c]) {
                        far[r][c] = near;
                        changed = 1;
                    }
                }
            }
    }
}

static void reset(int value) {
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) far[r][c] = value;
}

static char down_from(int r, int c) {
    int best = BIG + 1, chosen = 0;
    for (int d = 0; d < 4; d++) {
        int y = (r + step_row[d] + rows) % rows, x = (c + step_col[d] + cols) % cols;
        if (cells[y][x] != '#' && far[y][x] < best) {
            best = far[y][x];
            chosen = d;
        }
    }
    return "NESO"[chosen];
}

void orders(char answer[3]) {
    int self = 0;
    while (self < players - 1 && player[self].colour != me) self++;
    reset(BIG);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            if (strchr(".$@~&!", cells[r][c])) far[r][c] = cells[r][c] == '.' ? 4 : 0;
    for (int p = 0; p < players; p++)
        if (p != self) far[player[p].ghost_row][player[p].ghost_col] = BIG;
    relax();
    answer[0] = down_from(player[self].row, player[self].col);
    reset(BIG);
    for (int p = 0; p < players; p++)
        if (p != self) far[player[p].row][player[p].col] = 0;
    relax();
    answer[1] = down_from(player[self].ghost_row, player[self].ghost_col);
    answer[2] = 0;
}
