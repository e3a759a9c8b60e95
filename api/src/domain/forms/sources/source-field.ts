/** One field of a source's form, and where its value is among the settings of the source. */
export interface SourceField {
  /** In the form and in the API. */
  name: string;
  /** In an entry of SOURCES_FILE, with dots between the levels. */
  path: string;
  label: string;
  hint?: string;
  placeholder?: string;
  /** `switch` is 'on' or empty; `lines` is a list, and `pairs` an object, with one entry a line; `json` is an object. */
  control: 'line' | 'address' | 'number' | 'choice' | 'switch' | 'lines' | 'pairs' | 'json';
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

/** The address of what is read, to which the secrets go. */
export const address = (hint: string, placeholder: string): SourceField => ({
  name: 'url',
  path: 'url',
  label: 'Address',
  control: 'address',
  required: true,
  receivesSecrets: true,
  hint,
  placeholder,
});

/** A header with a token. */
export const header: readonly SourceField[] = [
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

/** How often a source is read. */
export const every = (seconds: number): SourceField => ({
  name: 'everySeconds',
  path: 'everySeconds',
  label: 'Seconds between two reads',
  control: 'number',
  min: 5,
  max: 86_400,
  initial: String(seconds),
  further: true,
});

/** Where cars lead that have no page of their own. */
export const marketplaceHome: SourceField = {
  name: 'marketplaceHome',
  path: 'marketplaceHome',
  label: 'Page for cars without one',
  control: 'address',
  hint: '“View on Marketplace” leads there where a car has no page of its own.',
  placeholder: 'https://dealer.example/',
  further: true,
};

/** Only offered where the operator of the server allows it. */
export const PRIVATE_NETWORK = 'allowPrivateNetwork';

/** What a source may have whose address is in the operator's own network. */
export const privateNetwork: SourceField = {
  name: PRIVATE_NETWORK,
  path: 'allowPrivateNetwork',
  label: 'The address is in my own network',
  control: 'switch',
  further: true,
  hint: 'Then LotWatch may send requests to this machine and to the machines around it. Leave it off for any address on the internet.',
};
