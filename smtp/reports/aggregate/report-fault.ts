/** Why an aggregate report is not read. */
export class ReportFault extends Error {
  override readonly name: string = 'ReportFault';
}

/** It is larger than any report: whoever sends such a one means harm, and is heard less for a while. */
export class Overrun extends ReportFault {
  override readonly name = 'Overrun';
}
