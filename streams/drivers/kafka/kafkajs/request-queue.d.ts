/** The requests of one connection of kafkajs: a part that its types leave out. */
declare module 'kafkajs/src/network/requestQueue' {
  class RequestQueue {
    /** Requests that wait until the server takes more. */
    readonly pending: readonly unknown[];
    scheduleCheckPendingRequests: () => void;
  }
  export = RequestQueue;
}
