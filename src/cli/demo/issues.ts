/** An issue of the demo team; its number is its position in the list. */
export interface DemoIssue {
  days: number;
  author: string;
  title: string;
  labels: string;
  description?: string;
  assignee?: string;
  milestone?: string;
  /** `<days> <author> <text>` */
  comments?: readonly string[];
  /** Days before the present, and who closed it. */
  closed?: readonly [days: number, by: string];
}

export const MILESTONES: readonly { title: string; description: string; due: number }[] = [
  { title: '1.4', description: 'Guest checkout and order confirmations', due: -12 },
  { title: '1.5', description: 'Discounts that customers asked for', due: 11 },
  { title: 'Holiday season', description: 'Ready for ten times the traffic', due: 32 },
];

/** Labels and their colors; others get the default. */
export const LABELS: Readonly<Record<string, string>> = {
  bug: '#d1242f',
  security: '#9a1b1b',
  feature: '#1a7f37',
  performance: '#2563eb',
  checkout: '#7138c8',
  payments: '#7138c8',
  accounts: '#0891b2',
  accessibility: '#0891b2',
  email: '#c2710c',
  i18n: '#c2710c',
  docs: '#64748b',
  ops: '#64748b',
};

export const CHECKOUT_ISSUES: readonly DemoIssue[] = [
  {
    days: 54,
    author: 'tom',
    title: 'Set up the staging environment',
    labels: 'ops',
    assignee: 'tom',
    comments: [
      '53 mei Can it use the anonymized copy of production?',
      '52 tom Yes, refreshed every night.',
    ],
    closed: [44, 'tom'],
  },
  {
    days: 45,
    author: 'hana',
    title: 'Translate validation messages',
    labels: 'i18n',
    assignee: 'hana',
    milestone: '1.5',
  },
  {
    days: 38,
    author: 'priya',
    title: 'Keyboard focus is lost after removing an item',
    labels: 'bug,accessibility',
    assignee: 'hana',
    milestone: '1.4',
    comments: ['37 hana Focus should move to the next line, or to the heading of an empty cart.'],
    closed: [30, 'hana'],
  },
  {
    days: 34,
    author: 'diego',
    title: 'Retry captured payments after a gateway timeout',
    labels: 'payments,bug',
    assignee: 'diego',
    milestone: '1.5',
    description:
      'When the gateway times out **after** it has captured the payment, the order stays `authorized` until someone looks at it.\n\n- [x] Make charges idempotent\n- [x] Retry once in the request\n- [ ] Retry in the background\n- [ ] Alert when an order is older than an hour',
    comments: [
      '33 mei How often does this happen?',
      '33 diego 17 orders last week, all of them between 18:00 and 20:00.',
      '6 diego The background job is in !2.',
    ],
  },
  {
    days: 29,
    author: 'alice',
    title: 'Show stock per warehouse',
    labels: 'feature',
    assignee: 'hana',
    milestone: '1.5',
    comments: ['27 jonas The warehouse API answers in 40 ms, so we can ask it on every request.'],
  },
  {
    days: 24,
    author: 'priya',
    title: 'Guest checkout keeps the cart of the previous visitor',
    labels: 'bug,security',
    assignee: 'jonas',
    milestone: '1.4',
    description: 'On shared computers, the cart of the previous guest is still there.',
    comments: [
      '24 mei This is urgent. @jonas, can you take it?',
      '23 jonas The cookie outlives the session. I am on it.',
      '13 jonas Fixed with the guest token; carts end after 30 days.',
    ],
    closed: [12, 'jonas'],
  },
  {
    days: 19,
    author: 'tom',
    title: 'Document the webhook that shipping partners call',
    labels: 'docs',
  },
  {
    days: 16,
    author: 'mei',
    title: 'Reduce the time to first byte of the cart page',
    labels: 'performance',
    assignee: 'mei',
    milestone: 'Holiday season',
    description:
      'The 95th percentile is 620 ms. Most of it is spent on prices:\n\n```ts\nfor (const line of cart.lines) line.unitPrice = await priceOf(line.sku);\n```\n\nOne query for all lines should bring it below 200 ms.',
    comments: [
      '15 tom The database is at 30 % CPU, so it is the number of round trips.',
      '14 mei A first version with one query: p95 is 180 ms on staging.',
      '10 alice Great. Please do the same for the order page.',
    ],
  },
  {
    days: 10,
    author: 'hana',
    title: 'Order confirmation email shows the wrong currency',
    labels: 'bug,email',
    assignee: 'hana',
    comments: ['9 priya It is always the currency of the shop, never of the cart.'],
  },
  {
    days: 7,
    author: 'alice',
    title: 'Let customers save more than one address',
    labels: 'feature,accounts',
    milestone: 'Holiday season',
    comments: [
      '6 jonas The table exists, what is missing is the form.',
      '6 alice Also for the mobile apps?',
    ],
  },
  {
    days: 4,
    author: 'jonas',
    title: 'Payment fails when the postal code has a space',
    labels: 'bug',
    assignee: 'priya',
    milestone: '1.5',
    description: 'Customers in the Netherlands type `1012 AB`. We only accept `1012AB`.',
    comments: [
      '3.9 priya Great Britain has the same problem.',
      '3 priya Fixed by !4.',
      '1.8 diego Confirmed on staging.',
    ],
    closed: [1.9, 'priya'],
  },
  {
    days: 2.5,
    author: 'priya',
    title: 'Cart total ignores percentage discounts',
    labels: 'bug,checkout',
    assignee: 'mei',
    milestone: '1.5',
    description:
      '`applyDiscount` only handles fixed amounts, so `WELCOME10` changes nothing.\n\n| Code | Expected | Actual |\n| --- | --- | --- |\n| `WELCOME10` | €30.60 | €34.00 |\n| `SHIPFREE` | €29.10 | €29.10 |',
    comments: [
      '2.4 mei Confirmed. The rule is found, but its kind is ignored.',
      '2 mei Opened !5.',
      '0.9 alice @root, can you have a look? Support gets several calls a day.',
      '0.2 hana The storefront shows the discount already, so customers see two totals.',
    ],
  },
  {
    days: 0.8,
    author: 'tom',
    title: 'Connections to the database run out during deployments',
    labels: 'ops,performance',
    assignee: 'root',
    comments: ['0.5 mei Each replica opens 20. During a rollout there are twice as many replicas.'],
  },
  {
    days: 0.1,
    author: 'jonas',
    title: 'Discount codes are case sensitive in the mobile apps',
    labels: 'bug,mobile',
    assignee: 'jonas',
  },
];
