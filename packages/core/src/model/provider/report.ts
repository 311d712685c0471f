/** A failure that a server reports, as an error to throw and classify later. */
export interface ReportedError<Report> extends Error {
  readonly report: Report;
}

/** An error to throw for a failure that a server reports, in a response or inside a stream. */
export function reportedError<Report>(report: Report): ReportedError<Report> {
  return Object.assign(new Error('The answer has an error in it.'), { report });
}

/** True if something thrown is a {@link ReportedError}. */
export function isReported(thrown: unknown): thrown is ReportedError<unknown> {
  return thrown instanceof Error && 'report' in thrown;
}
