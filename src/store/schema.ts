/** Command lines too long for a button. */
export interface LinesTable {
  /** A digest of the line, so that one line is one row however often it is shown. */
  id: string
  line: string
  /** Unix seconds of the last time that a message with it was sent. */
  shown_at: number
}

export interface Schema {
  lines: LinesTable
}
