export { Throttle, type ThrottleDeps } from './throttle';
