export { Throttle } from './throttle';
