/** True for `npm run test:all`; `npm test` leaves the long tests out, and plays a smaller form of one that is named. */
export const EVERYTHING = process.env['KURIR_TEST_EVERYTHING'] === '1';

/** Whether what takes long runs at all: in `npm run test:all`, and where files are named (jest.config.js). */
export const LONG = process.env['KURIR_TEST_LONG'] === '1';
