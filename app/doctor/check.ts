/** One thing that was looked at. `note`: not as in normal operation, and no fault. */
export interface Check {
  check: string;
  status: 'ok' | 'note' | 'wrong';
  detail: string;
}
