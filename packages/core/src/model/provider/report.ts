/** What a server says of a failure, to be thrown and judged later. */
export interface ReportedError<Report> extends Error {
  readonly report: Report;
}

/** What a server reports, in a response or inside a stream, as an error to be thrown. */
export function reportedError<Report>(report: Report): ReportedError<Report> {
  return Object.assign(new Error('The answer has an error in it.'), { report });
}

/** Whether something thrown is a {@link ReportedError}. */
export function isReported(thrown: unknown): thrown is ReportedError<unknown> {
  return thrown instanceof Error && 'report' in thrown;
}
