/**
 * Rows that are written together some time after the first of them, so that no request waits for
 * them. A killed process loses the last of them.
 */
export class WriteBuffer<Row> {
  private rows = new Map<string, Row>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private isClosed = false;

  /** `write` must not throw; `limit` is the number of rows, beyond which further ones are dropped. */
  constructor(
    private readonly write: (rows: Row[]) => Promise<void>,
    private readonly options: { limit: number; delayMs: number },
  ) {}

  /** Adds a row, or adds to the waiting one of the same key. */
  put(key: string, { add, create }: { add(row: Row): void; create(): Row }): void {
    const row = this.rows.get(key);
    if (row !== undefined) add(row);
    else if (this.rows.size < this.options.limit) this.rows.set(key, create());
    if (!this.isClosed) this.timer ??= setTimeout(() => this.flush(), this.options.delayMs);
  }

  /** Writes what is left; for use while the database is still connected. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.flush();
    await this.writing;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const rows = [...this.rows.values()];
    this.rows = new Map();
    if (rows.length > 0) this.writing = this.writing.then(() => this.write(rows));
  }
}
