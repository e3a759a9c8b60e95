/** One field of a source's form, and where its value is among the settings of the source. */
export interface SourceField {
  /** In the form and in the API. */
  name: string;
  /** In an entry of SOURCES_FILE, with dots between the levels. */
  path: string;
  label: string;
  hint?: string;
  placeholder?: string;
  /** `switch` is 'on' or empty; `lines` is a list with one entry a line; `json` is an object. */
  control: 'line' | 'address' | 'number' | 'choice' | 'switch' | 'lines' | 'json';
  /** Stored encrypted and never shown again. */
  secret?: true;
  /** An address to which the secrets are sent. */
  receivesSecrets?: true;
  required?: true;
  /** Another field: where one of the two is set, the other has to be. */
  with?: string;
  /** Of a number. */
  min?: number;
  max?: number;
  choices?: readonly { value: string; label: string }[];
  /** What a new source has. */
  initial?: string;
  /** It has a good value already, so that it is below the others. */
  further?: true;
}

const address = (hint: string, placeholder: string): SourceField => ({
  name: 'url',
  path: 'url',
  label: 'Address',
  control: 'address',
  required: true,
  receivesSecrets: true,
  hint,
  placeholder,
});

const header: readonly SourceField[] = [
  {
    name: 'headerName',
    path: 'header.name',
    label: 'Header with a token',
    control: 'line',
    with: 'headerValue',
    hint: 'Only where the server asks for one, such as Authorization or X-Api-Key.',
    placeholder: 'Authorization',
  },
  {
    name: 'headerValue',
    path: 'header.value',
    label: 'Value of the header',
    control: 'line',
    secret: true,
    with: 'headerName',
    hint: 'As the server wants it, such as “Bearer …”. Stored encrypted, and sent to no other server.',
  },
];

const every = (seconds: number): SourceField => ({
  name: 'everySeconds',
  path: 'everySeconds',
  label: 'Seconds between two reads',
  control: 'number',
  min: 5,
  max: 86_400,
  initial: String(seconds),
  further: true,
});

/** Only offered where the operator of the server allows it. */
export const PRIVATE_NETWORK = 'allowPrivateNetwork';

const privateNetwork: SourceField = {
  name: PRIVATE_NETWORK,
  path: 'allowPrivateNetwork',
  label: 'The address is in my own network',
  control: 'switch',
  further: true,
  hint: 'Then LotWatch may send requests to this machine and to the machines around it. Leave it off for any address on the internet.',
};

/** The kinds of sources that the browser offers, each with its fields. A push has none, as its sender decides. */
export const sourceFields = {
  'vehicle-feed': [
    address(
      'The file with all cars of the lot: CSV, TSV or XML, also packed as .gz.',
      'https://dealer.example/feed.csv',
    ),
    ...header,
    every(300),
    privateNetwork,
  ],
  'google-vehicle-feed': [
    address('The file with all cars, as XML or text, also packed as .gz.', 'https://dealer.example/google.xml'),
    {
      name: 'stores',
      path: 'stores',
      label: 'Where the stores are',
      control: 'json',
      hint: 'For each store code of the feed a city and state, or a ZIP code; “*” is every other store.',
      placeholder: '{ "AUSTIN-01": "Austin, TX", "*": "75201" }',
    },
    ...header,
    every(900),
    privateNetwork,
  ],
  'json-feed': [
    address(
      'The call that answers with the cars, with its search but without the key.',
      'https://api.example/cars?state=TX',
    ),
    {
      name: 'queryName',
      path: 'query.name',
      label: 'Parameter with a key',
      control: 'line',
      with: 'queryValue',
      hint: 'Only where the key belongs into the address, such as api_key.',
      placeholder: 'api_key',
    },
    {
      name: 'queryValue',
      path: 'query.value',
      label: 'Value of the parameter',
      control: 'line',
      secret: true,
      with: 'queryName',
      hint: 'Stored encrypted, and sent to no other server.',
    },
    ...header,
    {
      name: 'items',
      path: 'items',
      label: 'Where the list is',
      control: 'line',
      required: true,
      hint: 'The path of the list of cars in the answer; $ where the answer is the list.',
      placeholder: 'results',
    },
    {
      name: 'fields',
      path: 'fields',
      label: 'Which field is which',
      control: 'json',
      required: true,
      hint: 'For each fact its path within a car. An id or vin is needed, and a title, or make and model.',
      placeholder:
        '{ "id": "ref", "make": "car.brand", "model": "car.model", "year": "car.year",\n  "price": "cost", "mileage": "miles", "city": "where.town", "state": "where.state" }',
    },
    {
      name: 'constants',
      path: 'constants',
      label: 'Facts of all cars',
      control: 'json',
      hint: 'For what the answer does not state, since all cars have it in common.',
      placeholder: '{ "currency": "USD", "seller": "dealer" }',
      further: true,
    },
    {
      name: 'paging',
      path: 'paging',
      label: 'How pages are asked for',
      control: 'json',
      hint: 'By “offset”, “page” or “cursor”. Without it there is one page.',
      placeholder: '{ "by": "page", "page": "page", "limit": "limit", "size": 100 }',
      further: true,
    },
    {
      name: 'total',
      path: 'total',
      label: 'Where the number of all cars is',
      control: 'line',
      placeholder: 'count',
      further: true,
    },
    {
      name: 'order',
      path: 'order',
      label: 'What a read has to see',
      control: 'choice',
      choices: [
        { value: 'any', label: 'All pages, each time' },
        { value: 'newest-first', label: 'Only new cars: the newest comes first' },
        { value: 'whole', label: 'All pages, and a car that is missing twice is gone' },
      ],
      initial: 'any',
      further: true,
    },
    {
      name: 'maxPages',
      path: 'maxPages',
      label: 'Pages of a read at most',
      control: 'number',
      min: 1,
      max: 1000,
      initial: '100',
      further: true,
    },
    {
      name: 'pauseMs',
      path: 'pauseMs',
      label: 'Milliseconds between two pages',
      control: 'number',
      min: 0,
      max: 60_000,
      initial: '250',
      further: true,
    },
    every(3600),
    privateNetwork,
  ],
  'marketplace-items': [
    address('A list of items as JSON, read in pages by offset and limit.', 'https://feeds.example/items'),
    ...header,
    {
      name: 'order',
      path: 'order',
      label: 'Where new items appear',
      control: 'choice',
      choices: [
        { value: 'newest-first', label: 'At the top: the newest comes first' },
        { value: 'append', label: 'At the end: items are added' },
      ],
      initial: 'newest-first',
      further: true,
    },
    {
      name: 'pageSize',
      path: 'pageSize',
      label: 'Items on a page',
      control: 'number',
      min: 1,
      max: 1000,
      initial: '100',
      further: true,
    },
    every(60),
    privateNetwork,
  ],
} as const satisfies Record<string, readonly SourceField[]>;

/** A kind of source that can be made in the browser. */
export type FormKind = keyof typeof sourceFields;

export const isFormKind = (kind: string): kind is FormKind => Object.hasOwn(sourceFields, kind);

/** The fields of a kind. */
export const fieldsOfKind = (kind: FormKind): readonly SourceField[] => sourceFields[kind];
