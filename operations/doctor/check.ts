/** The result of one check. `note`: unusual, but not an error. */
export interface Check {
  check: string;
  status: 'ok' | 'note' | 'wrong';
  detail: string;
}
