/** True for `npm run test:all`; `npm test` leaves the long tests out, and plays a smaller form of one that is named. */
export const EVERYTHING = process.env['KURIR_TEST_EVERYTHING'] === '1';
