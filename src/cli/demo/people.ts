import sharp from 'sharp';

/** A member of the demo team. */
export interface DemoPerson {
  username: string;
  name: string;
  email: string;
  job: string;
  /** Of groups: acme. */
  level: number;
  portrait: Portrait;
}

interface Portrait {
  background: string;
  skin: string;
  hair: string;
  shirt: string;
  style: 'short' | 'long' | 'bun' | 'curly';
}

const MAINTAINER = 40;
const OWNER = 50;

export const PEOPLE: readonly DemoPerson[] = [
  person('alice Alice Becker', 'Engineering manager', {
    level: OWNER,
    look: '#c9d7ff #f2c9a5 #7a3b1d #3056d3 long',
  }),
  person('mei Mei Chen', 'Staff engineer', {
    level: MAINTAINER,
    look: '#e5d9ff #efc7a0 #1d1b22 #7138c8 bun',
  }),
  person('tom Tom Okafor', 'Site reliability engineer', {
    level: MAINTAINER,
    look: '#ffe0c2 #8a5636 #1a1413 #a44a06 short',
  }),
  person('priya Priya Nair', 'Software engineer', {
    level: MAINTAINER,
    look: '#d4ecf5 #b9794f #201715 #0e6f8a long',
  }),
  person('diego Diego Ramos', 'Software engineer', {
    level: MAINTAINER,
    look: '#d8f0dd #d9a06f #3a2418 #13733a curly',
  }),
  person('hana Hana Sato', 'Frontend engineer', {
    level: MAINTAINER,
    look: '#ffd9e4 #f3d0b0 #2b2026 #b3225e bun',
  }),
  person('jonas Jonas Weber', 'Software engineer', {
    level: MAINTAINER,
    look: '#f4e8c1 #f5d3b8 #b98642 #7f5b00 short',
  }),
];

function person(
  names: string,
  job: string,
  { level, look }: { level: number; look: string },
): DemoPerson {
  const [username = '', ...name] = names.split(' ');
  const [background = '', skin = '', hair = '', shirt = '', style] = look.split(' ');
  return {
    username,
    name: name.join(' '),
    email: `${username}@acme.example`,
    job,
    level,
    portrait: { background, skin, hair, shirt, style: style as Portrait['style'] },
  };
}

export function personNamed(username: string): DemoPerson {
  const found = PEOPLE.find((one) => one.username === username);
  if (found === undefined) throw new Error(`no person ${username}`);
  return found;
}

const HAIR: Record<Portrait['style'], string> = {
  short: '<path d="M33 44c-2-20 7-27 17-27s19 7 17 27c-2-9-6-13-17-13s-15 4-17 13z"/>',
  long: '<path d="M29 66c-2-34 3-50 21-50s23 16 21 50c-6 3-8-12-8-26-8 1-18-2-22-7-3 6-5 20-5 30-1 5-5 5-7 3z"/>',
  bun: '<circle cx="50" cy="15" r="8"/><path d="M32 45c-2-20 7-27 18-27s20 7 18 27c-3-8-7-14-18-14s-15 6-18 14z"/>',
  curly:
    '<g><circle cx="36" cy="32" r="8"/><circle cx="44" cy="24" r="9"/><circle cx="56" cy="24" r="9"/><circle cx="64" cy="32" r="8"/><circle cx="50" cy="29" r="9"/></g>',
};

/** A drawn portrait as PNG. */
export function portraitOf({ portrait }: DemoPerson): Promise<Buffer> {
  const { background, skin, hair, shirt, style } = portrait;
  const behind = style === 'long' ? `<path fill="${hair}" d="M30 40h40v36H30z"/>` : '';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="192" height="192" viewBox="0 0 100 100">
<rect width="100" height="100" fill="${background}"/>${behind}
<path d="M14 100c2-20 16-27 36-27s34 7 36 27z" fill="${shirt}"/>
<path d="M42 60h16v14c0 5-16 5-16 0z" fill="${skin}"/>
<path d="M42 66c5 5 11 5 16 0v4c-5 5-11 5-16 0z" fill="#000" opacity=".12"/>
<ellipse cx="50" cy="46" rx="17" ry="20" fill="${skin}"/>
<g fill="${hair}">${HAIR[style]}</g>
<g fill="#231815"><circle cx="43.500" cy="47" r="1.800"/><circle cx="56.500" cy="47" r="1.800"/></g>
<path d="M44 56q6 5 12 0" fill="none" stroke="#231815" stroke-width="1.600" stroke-linecap="round"/></svg>`;
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer();
}
