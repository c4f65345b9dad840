/** Long tests play more kills and inputs, e.g. `KURIR_TEST_EVERYTHING=1 npm run test:all -- test/proof/crash`. */
export const EVERYTHING = process.env['KURIR_TEST_EVERYTHING'] === '1';

/** Whether what takes long runs at all: in `npm run test:all`, and where files are named (jest.config.js). */
export const LONG = process.env['KURIR_TEST_LONG'] === '1';
