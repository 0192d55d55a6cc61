/** A merge request of the demo team; its number is its position in the list of its project. */
export interface DemoMergeRequest {
  project: string;
  days: number;
  author: string;
  branch: string;
  title: string;
  description: string;
  labels?: string;
  reviewers?: readonly string[];
  assignee?: string;
  comments?: readonly string[];
  merged?: readonly [days: number, by: string];
  closed?: readonly [days: number, by: string];
  /** Jobs and their states. */
  statuses: readonly (readonly [name: string, state: string, description?: string])[];
}

export const MERGE_REQUESTS: readonly DemoMergeRequest[] = [
  {
    project: 'checkout',
    days: 7.9,
    author: 'jonas',
    branch: 'remove-legacy-totals',
    title: 'Shorten the timeout of the gateway',
    description: 'Three seconds should be enough.',
    statuses: [
      ['lint', 'success'],
      ['test', 'success'],
    ],
    comments: ['7 diego The card network needs up to four. Please see acme/platform/payments!1.'],
    closed: [6.8, 'jonas'],
  },
  {
    project: 'checkout',
    days: 4.9,
    author: 'diego',
    branch: 'capture-retry',
    title: 'Draft: Retry captured payments in the background',
    description:
      'Takes 50 orders at a time and skips those that another worker has locked.\n\nPart of #4.',
    labels: 'payments',
    statuses: [
      ['lint', 'success'],
      ['test', 'running', '214 of 388 tests'],
    ],
    comments: ['4 mei `FOR UPDATE SKIP LOCKED` needs a transaction around it.'],
  },
  {
    project: 'checkout',
    days: 3.8,
    author: 'hana',
    branch: 'warehouse-stock',
    title: 'Show stock per warehouse',
    description: 'One query per product page.\n\nCloses #5.',
    labels: 'feature',
    reviewers: ['mei'],
    statuses: [
      ['lint', 'success'],
      ['test', 'failed', '2 of 391 tests failed'],
    ],
  },
  {
    project: 'checkout',
    days: 2.9,
    author: 'priya',
    branch: 'postal-codes',
    title: 'Accept postal codes with spaces',
    description: 'Spaces are removed and letters made upper case before the check.\n\nCloses #11.',
    labels: 'bug',
    reviewers: ['jonas'],
    statuses: [
      ['lint', 'success'],
      ['test', 'success', '388 tests'],
      ['build', 'success'],
    ],
    comments: ['2.5 jonas Short and clear. Thank you!'],
    merged: [2, 'mei'],
  },
  {
    project: 'checkout',
    days: 1.9,
    author: 'mei',
    branch: 'percentage-discounts',
    title: 'Apply percentage discounts to the cart total',
    description:
      'Rounds half a cent up, as the invoices do.\n\nCloses #12.\n\n- [x] Tests for both kinds\n- [x] Tried on staging\n- [ ] Tell support',
    labels: 'bug,checkout',
    assignee: 'mei',
    reviewers: ['root', 'priya'],
    statuses: [
      ['lint', 'success'],
      ['test', 'success', '392 tests'],
      ['build', 'success', 'registry.acme.example/checkout:1.5.0-rc.1'],
    ],
    comments: [
      '1.5 priya What happens with codes that have expired?',
      '1.4 mei `findRule` does not look at `expiresAt` at all. I opened a follow-up.',
      '0.3 alice @root, this only needs your approval.',
    ],
  },
  {
    project: 'payments',
    days: 1.8,
    author: 'diego',
    branch: 'gateway-timeouts',
    title: 'Stop waiting for the card network after four seconds',
    description: 'So that checkout gets an answer before its own timeout.',
    reviewers: ['alice'],
    statuses: [
      ['vet', 'success'],
      ['test', 'pending'],
    ],
  },
];
