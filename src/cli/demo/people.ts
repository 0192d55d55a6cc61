import { readFileSync } from 'node:fs';

/** A member of the demo team. */
export interface DemoPerson {
  username: string;
  name: string;
  email: string;
  job: string;
  /** Of groups: acme. */
  level: number;
}

const MAINTAINER = 40;
const OWNER = 50;

export const PEOPLE: readonly DemoPerson[] = [
  person('alice Alice Becker', 'Engineering manager', OWNER),
  person('mei Mei Chen', 'Staff engineer'),
  person('tom Tom Okafor', 'Site reliability engineer'),
  person('priya Priya Nair', 'Software engineer'),
  person('diego Diego Ramos', 'Software engineer'),
  person('hana Hana Sato', 'Frontend engineer'),
  person('jonas Jonas Weber', 'Software engineer'),
];

function person(names: string, job: string, level = MAINTAINER): DemoPerson {
  const [username = '', ...name] = names.split(' ');
  return { username, name: name.join(' '), email: `${username}@acme.example`, job, level };
}

export function personNamed(username: string): DemoPerson {
  const found = PEOPLE.find((one) => one.username === username);
  if (found === undefined) throw new Error(`no person ${username}`);
  return found;
}

/** Returns a person's portrait as PNG. */
export function portraitOf({ username }: DemoPerson): Buffer<ArrayBuffer> {
  return readFileSync(new URL(`./portraits/${username}.png`, import.meta.url));
}
