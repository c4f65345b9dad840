/** True for `npm run test:all`; `npm test` plays a fixed part of what takes long. */
export const EVERYTHING = process.env['KURIR_TEST_EVERYTHING'] === '1';
