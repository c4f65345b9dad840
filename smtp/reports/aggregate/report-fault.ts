/** Why an aggregate report is not read. */
export class ReportFault extends Error {
  override readonly name = 'ReportFault';
}
