import { MINUTE } from '../../lib/clock';

/** A webhook's last success is stored to this precision, ms, so that most successes need no write. */
export const LAST_SUCCESS_STEP = MINUTE;
