/** A failure reported by a server, as an error to throw now and classify later. */
export interface ReportedError<Report> extends Error {
  readonly report: Report;
}

/** Creates the error for a failure that a server reports in a response or in a stream. */
export function reportedError<Report>(report: Report): ReportedError<Report> {
  return Object.assign(new Error('The answer has an error in it.'), { report });
}

/** True for a {@link ReportedError}. */
export function isReported(thrown: unknown): thrown is ReportedError<unknown> {
  return thrown instanceof Error && 'report' in thrown;
}
