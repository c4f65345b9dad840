import { AdvancingClock } from '../../lib/advancing-clock';

/** 2026-01-05 03:00 UTC, a Monday, 10:00 WIB. */
export const TEST_START = Date.UTC(2026, 0, 5, 3);

/** A clock that only moves when `advance` is called. */
export const frozenClock = (start = TEST_START): AdvancingClock => new AdvancingClock(0, () => start);
