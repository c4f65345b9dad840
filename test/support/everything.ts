/** True for `npm run test:all`; `npm test` runs a fixed part of the long tests. */
export const EVERYTHING = process.env['KURIR_TEST_EVERYTHING'] === '1';
