export const unbuilt = <T extends object>(): T => ({}) as T;
