import type { Settings } from '../../core/settings/settings.js';

/** Returns the password rules to show beneath a password field. */
export function passwordHint(minimumLength: number): string {
  return `At least ${minimumLength} characters. Avoid common passwords.`;
}

const MAX_LENGTH = 128;
/** Shorter parts of names are in every other password. */
const MIN_PART_LENGTH = 4;
const PRODUCT = 'guildhall';
const TOO_COMMON = 'must not contain commonly used combinations of words and letters';

/** Whose password it is going to be. */
export interface PasswordOwner {
  username?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
}

export type PasswordSettings = Pick<Settings, 'minimum_password_length'>;

/**
 * Why this must not be the owner's password; none when it may. Length, common passwords, parts of
 * the owner's names and addresses, and the name of the product (API doc, Users).
 */
export function passwordProblems(
  password: string,
  owner: PasswordOwner,
  { minimum_password_length: minimum }: PasswordSettings,
): string[] {
  if (password.length < minimum) return [`is too short (minimum is ${minimum} characters)`];
  if (password.length > MAX_LENGTH) return [`is too long (maximum is ${MAX_LENGTH} characters)`];
  const lower = password.toLowerCase();
  const isGuessable =
    isCommonPassword(password) || partsOf(owner).some((part) => lower.includes(part));
  return isGuessable ? [TOO_COMMON] : [];
}

function partsOf({ username = '', name = '', email = '' }: PasswordOwner): string[] {
  const texts = [username, name, email].map((text) => text.toLowerCase());
  const parts = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  return [...parts.filter((part) => part.length >= MIN_PART_LENGTH), PRODUCT];
}

/**
 * Most common passwords of leaked lists: without the digits and signs around them, in lower case,
 * with letters in place of the digits that look like them.
 */
const STEMS =
  'password passwort passwd passw pass passphrase contrasena motdepasse senha parola haslo salasana ' +
  'wachtwoord kennwort secret topsecret geheim letmein letmeinnow welcome willkommen bienvenue ' +
  'welcomeback changeme changeit changethis default admin administrator root superuser sysadmin ' +
  'system manager master user username login guest test tester testing testtest temp temporary ' +
  'demo sample example service support server database oracle mysql postgres cisco juniper linux ' +
  'ubuntu debian windows microsoft apple google facebook twitter instagram youtube linkedin yahoo ' +
  'hotmail gmail amazon samsung nokia iphone android internet computer laptop notebook network ' +
  'wireless router security monitor printer keyboard software hardware developer programmer hacker ' +
  'devops github gitlab docker kubernetes jenkins ansible terraform company business office ' +
  'iloveyou iloveu ilovegod lovely lovelove loveyou loveme loverboy lovers forever foreverlove ' +
  'princess prince queen king kingdom angel angels angelina babygirl babyboy baby babe sweety ' +
  'sweetie sweetheart honey sugar candy cookie chocolate butterfly flower flowers sunflower ' +
  'rainbow sunshine moonlight starlight midnight summer winter spring autumn january february ' +
  'march april june july august september october november december monday tuesday wednesday ' +
  'thursday friday saturday sunday sommer herbst fruehling birthday christmas halloween holiday ' +
  'dragon dragons dragonball monkey monkeys tiger tigers lion lions panther cheetah leopard eagle ' +
  'eagles falcon hawk raven phoenix unicorn horse horses pony ponies kitty kitten hellokitty puppy ' +
  'doggie dolphin dolphins turtle rabbit bunny chicken spider scorpion shark snake wolf wolves ' +
  'bear bears panda elephant giraffe penguin ladybug firefly dinosaur animal animals ' +
  'football fussball soccer baseball basketball volleyball hockey tennis golf golfer rugby cricket ' +
  'boxing wrestling skateboard snowboard surfing swimming running player gamer champion winner ' +
  'liverpool arsenal chelsea barcelona realmadrid manchester juventus yankees cowboys steelers ' +
  'lakers redsox patriots packers raiders broncos dodgers celtics rangers bulldogs wildcats ' +
  'superman batman spiderman ironman wolverine hulk thor avengers captain marvel pokemon pikachu ' +
  'naruto sasuke goku starwars startrek skywalker yoda jedi vader chewbacca gandalf frodo bilbo ' +
  'hobbit matrix neo trinity morpheus terminator predator godzilla transformers minecraft fortnite ' +
  'warcraft starcraft counterstrike halo zelda mario luigi sonic nintendo playstation xbox ' +
  'michael michelle jessica jennifer ashley amanda nicole daniel danielle andrew anthony charlie ' +
  'thomas robert william joshua matthew jordan justin brandon christopher christian christina ' +
  'elizabeth stephanie samantha victoria alexander alexandra alexandria alexis benjamin jonathan ' +
  'nicholas patrick richard george maggie hannah sophie sophia isabella olivia emily emma natasha ' +
  'natalie vanessa veronica patricia rebecca rachel melissa monica barbara jasmine savannah diamond ' +
  'maria mariana carlos carmen alejandro alejandra fernando eduardo roberto sebastian francisco ' +
  'gabriel gabriela valentina santiago mohammed mohamed muhammad ahmed fatima ivan dimitri sergey ' +
  'natalia svetlana stefan andreas matthias juergen katharina peter oliver martin marcel pascal ' +
  'buster bailey ginger pepper peanut tinkerbell snoopy garfield mickey minnie donald goofy simba ' +
  'whatever nothing everything something someone anything nobody blessed blessing jesus jesuschrist ' +
  'christ heaven faith grace trustno trustnoone access accessdenied open opensesame abracadabra ' +
  'fuckyou fuckoff fuckme asshole bitch bullshit pussy sexy hottie naughty playboy ' +
  'america american canada mexico brasil brazil argentina colombia espana france paris london england ' +
  'ireland scotland germany deutschland berlin hamburg muenchen italia roma russia moscow ukraine ' +
  'india mumbai pakistan china beijing japan tokyo australia sydney california newyork chicago dallas ' +
  'boston texas florida miami phoenix denver houston atlanta vegas hollywood ' +
  'mustang corvette ferrari porsche mercedes lamborghini toyota honda yamaha suzuki kawasaki harley ' +
  'harleydavidson camaro nissan chevy chevrolet dodge subaru volkswagen audi bmw jaguar ' +
  'guitar music musica metallica slipknot nirvana eminem beatles rocknroll rockstar rockyou hiphop ' +
  'pizza cheese coffee banana orange cherry strawberry blueberry apple pineapple mango peaches lemon ' +
  'cocacola pepsi budweiser heineken jackdaniels vodka whiskey tequila ' +
  'money dollar dollars million millionaire bitcoin crypto lucky luckyone luckystar magic magical ' +
  'mother father mommy daddy mama papa mamapapa mamamia brother sister family friends friend ' +
  'bestfriend bestfriends boyfriend girlfriend husband grandma grandpa children school student ' +
  'teacher college university doctor nurse police soldier army marine airforce navy ranger hunter ' +
  'fishing hunting camping killer murder shadow ghost demon devil satan death metal warrior ninja ' +
  'samurai knight viking pirate pirates wizard merlin genius einstein newton picasso mozart ' +
  'silver golden gold platinum purple yellow green orange black white brown pink blue bluesky ' +
  'hello helloworld hallo halloo hola bonjour ciao goodbye goodluck thankyou please awesome perfect ' +
  'beautiful gorgeous handsome pretty cutie cute happy happiness smile smiley laugh peace freedom ' +
  'liberty justice dreamer dream dreams hope believe destiny karma spirit soul energy power ' +
  'thunder lightning storm hurricane tornado earthquake volcano ocean river mountain island ' +
  'qwerty qwert qwertz azerty asdf asdfg asdfgh asdfghjk zxcv zxcvb zxcvbn qazwsx qweasd qweqwe ' +
  'asdasd zxczxc qwerqwer asdfasdf qweasdzxc qazwsxedc abcabc abcd abcde abcdef abcdefg alphabet ' +
  'aaaa correcthorsebatterystaple';

/** Rows of keyboards, digits and the alphabet: pieces of them are no password. */
const RUNS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'qwertyuiopasdfghjklzxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'qazwsxedcrfvtgbyhnujmikolp',
  'zaq12wsxcde34rfvbgt56yhn',
  '!@#$%^&*()_+',
  '!"§$%&/()=?',
  '147258369147258369',
  '741852963741852963',
  '789456123789456123',
  '31415926535897932384',
];

const COMMON = new Set(STEMS.split(' '));
const REVERSED_RUNS = RUNS.map((run) => [...run].toReversed().join(''));
const ALL_RUNS = [...RUNS, ...REVERSED_RUNS];

const LOOKALIKES: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'i',
};

/** Characters around a common word that make it no better: years, exclamation marks. */
const MAX_DECORATION = 6;

/** Returns true for common passwords and their usual variations, which attackers try first. */
function isCommonPassword(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  if (isRepetition(plain) || isRun(plain)) return true;
  const readings = [plain, asLetters(plain), asLetters(trimmed(plain))];
  return readings.some((text) => {
    return isDecoratedWord(text, plain) || isDecoratedWord(text.replaceAll('i', 'l'), plain);
  });
}

/** With letters in place of what looks like them; a 1 is an i, which can be an l. */
function asLetters(text: string): string {
  return [...text].map((character) => LOOKALIKES[character] ?? character).join('');
}

/** One unit again and again: `aaaaaaaa`, `abcabcabc`. */
function isRepetition(text: string): boolean {
  const lengths = [1, 2, 3, 4, 5, 6].filter((length) => length * 2 <= text.length);
  return lengths.some((length) => text.slice(length) === text.slice(0, -length));
}

function isRun(text: string): boolean {
  return ALL_RUNS.some((run) => run.includes(text));
}

/** A word of the list, once or twice, or a run, with little around it. */
function isDecoratedWord(text: string, plain: string): boolean {
  const word = trimmed(text);
  if (word === '' || plain.length - word.length > MAX_DECORATION) return false;
  const letters = word.replace(/[^a-z]/g, '');
  if (COMMON.has(word) || COMMON.has(letters) || isRun(word)) return true;
  const half = word.slice(0, word.length / 2);
  return half + half === word && COMMON.has(half);
}

/** Without digits and signs at both ends. */
function trimmed(text: string): string {
  const first = text.search(/[a-z]/);
  if (first === -1) return '';
  const last = [...text].findLastIndex((character) => /[a-z]/.test(character));
  return text.slice(first, last + 1);
}
