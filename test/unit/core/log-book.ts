import { z } from 'zod'

const written = z.looseObject({ level: z.string(), msg: z.string() })

/** Takes what a logger writes, for a test to look at. */
export class LogBook {
  readonly lines: z.infer<typeof written>[] = []

  write(line: string): void {
    this.lines.push(written.parse(JSON.parse(line)))
  }

  /** The lines of a level, each as the text that was written. */
  of(level: string): string[] {
    return this.lines.filter((line) => line.level === level).map((line) => JSON.stringify(line))
  }
}
