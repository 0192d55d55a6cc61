/** How far back the chart of the list goes, by the parameter `activity`. */
export const ACTIVITY_SPANS = ['day', 'month'] as const;
export type ActivitySpan = (typeof ACTIVITY_SPANS)[number];
