/** A queue without jobs: its connection is asked whether Redis answers. */
export const HEALTH_QUEUE = 'health';
