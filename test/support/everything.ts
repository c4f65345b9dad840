const gate = process.env['KURIR_TEST_GATE'];

/** Whether this is the night gate (docs/testing.md), in which tests play more kills and inputs. */
export const EVERYTHING = gate === 'night';

/** Whether files are named on the command line; then each of them runs whole. */
export const NAMED = process.env['KURIR_TEST_NAMED'] === '1';
