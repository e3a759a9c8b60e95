import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { BSON, type Db, MongoClient, MongoServerError } from 'mongodb';
import { type Document, serveMongo } from './mongo-wire.ts';

const { Int32, Long, ObjectId, UUID } = BSON;

/** How a primary ends: it refuses writes, closes its connections, closes them after it has done what was asked, or is silent. */
export type StepDown = 'refuses' | 'closes' | 'closes late' | 'is silent';

export interface ReplicaSet {
  url: string;
  /** Whether the members call themselves a set; a server on its own has no streams of changes. */
  isSet: boolean;
  /** Whether a member tells of an election at once; if not, clients ask now and then, as with servers before 4.4. */
  tellsChanges: boolean;
  /** Whether streams of changes are served. */
  hasStreams: boolean;
  openStreams(): number;
  /** Ends the primary; the other member is the primary after `electionMs`. */
  stepDown(how: StepDown, electionMs: number): void;
  hasPrimary(): boolean;
  /** Cuts every connection, so that clients ask again what the members are. */
  cut(): void;
  close(): Promise<void>;
}

interface Stream {
  collection: string;
  events: Document[];
  /** Wakes the request that waits for the next event. */
  wake: () => void;
}

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify', 'createIndexes']);
/** What belongs to sessions and replication, which the server behind does not know. */
const SET_FIELDS = ['lsid', 'txnNumber', '$clusterTime', '$db', '$readPreference', 'writeConcern', 'readConcern'];
const notPrimary = {
  ok: 0,
  code: new Int32(10_107),
  codeName: 'NotWritablePrimary',
  errmsg: 'not primary',
  errorLabels: ['RetryableWriteError', 'ResumableChangeStreamError'],
};

/**
 * Plays two members of a replica set before one server that knows nothing of sets: which of them is the primary, the writes
 * that are asked for again after a lost answer, and the streams of changes. It has no log of its own, so it shows neither
 * what an election takes back nor streams that begin in the past.
 */
export async function playReplicaSet(serverUrl: string): Promise<ReplicaSet> {
  const client = await MongoClient.connect(serverUrl);
  const dbName = client.db().databaseName;
  const streams = new Map<string, Stream>();
  const answered = new Map<string, Promise<Document>>();
  let lastId = 0;
  let elections = 1;
  let primary: number | null = 0;
  let ended: { member: number; how: StepDown } | undefined;
  let timer: NodeJS.Timeout | undefined;
  const processId = new ObjectId();
  let version = 0;
  const topology = new EventEmitter().setMaxListeners(0);
  const change = () => {
    version++;
    topology.emit('change');
  };
  const members: Awaited<ReturnType<typeof serveMongo>>[] = [];
  const hosts = () => members.map(({ port }) => `127.0.0.1:${port}`);

  const set: ReplicaSet = {
    url: '',
    isSet: true,
    tellsChanges: true,
    hasStreams: true,
    openStreams: () => streams.size,
    stepDown(how, electionMs) {
      const member = primary ?? 0;
      primary = null;
      ended = { member, how };
      if (how === 'closes') members[member]?.cut();
      change();
      timer = setTimeout(() => {
        elections++;
        primary = 1 - member;
        ended = undefined;
        // Those that are silent or closed come back as secondaries, on new connections.
        if (how !== 'refuses') members[member]?.cut();
        change();
      }, electionMs);
    },
    hasPrimary: () => primary !== null,
    cut: () => members.forEach((member) => void member.cut()),
    async close() {
      clearTimeout(timer);
      for (const stream of streams.values()) stream.wake();
      await Promise.all(members.map((member) => member.close()));
      await client.close();
    },
  };

  function hello(member: number): Document {
    const server = {
      maxBsonObjectSize: 16_777_216,
      maxMessageSizeBytes: 48_000_000,
      maxWriteBatchSize: 100_000,
      localTime: new Date(),
      minWireVersion: new Int32(0),
      maxWireVersion: new Int32(21),
      logicalSessionTimeoutMinutes: new Int32(30),
      ...(set.tellsChanges && { topologyVersion: { processId, counter: Long.fromNumber(version) } }),
      ok: 1,
    };
    const isPrimary = !set.isSet || primary === member;
    const role = { helloOk: true, isWritablePrimary: isPrimary, ismaster: isPrimary };
    if (!set.isSet) return { ...server, ...role };
    return {
      ...server,
      ...role,
      secondary: !isPrimary,
      setName: 'played',
      setVersion: new Int32(1),
      hosts: hosts(),
      me: hosts()[member],
      ...(isPrimary && { electionId: new ObjectId(elections.toString(16).padStart(24, '0')) }),
    };
  }

  /** What the member is, again at each change; nothing while it is silent. */
  async function* tell(member: number, socket: Socket): AsyncGenerator<Document> {
    const closed = new AbortController();
    socket.once('close', () => closed.abort());
    for (let told = -1; !socket.destroyed; ) {
      const isSilent = ended?.member === member && ended.how === 'is silent';
      if (!isSilent && told !== version) {
        told = version;
        yield hello(member);
      }
      if (told === version || isSilent)
        await once(topology, 'change', { signal: closed.signal }).catch(() => undefined);
    }
  }

  async function forward(db: Db, command: Document): Promise<Document> {
    const plain = { ...command };
    for (const field of SET_FIELDS) delete plain[field];
    try {
      return await db.command(plain, { promoteValues: false });
    } catch (error) {
      if (error instanceof MongoServerError) return error.errorResponse as Document;
      throw error;
    }
  }

  /** Tells the streams what a command saved, as the server behind tells nobody. */
  async function publish(name: string, command: Document, answer: Document): Promise<void> {
    const collection = String(command[name]);
    const following = [...streams.values()].filter((stream) => stream.collection === collection);
    const id = name === 'findAndModify' ? answer.value?._id : command.updates?.[0]?.q?._id;
    if (following.length === 0 || !id) return;
    const fullDocument = await client.db(dbName).collection(collection).findOne({ _id: id }, { promoteValues: false });
    const ns = { db: dbName, coll: collection };
    for (const stream of following) {
      const _id = { _data: String(++lastId) };
      stream.events.push({ _id, operationType: 'update', ns, documentKey: { _id: id }, fullDocument });
      stream.wake();
    }
  }

  const cursor = (id: string, batch: 'firstBatch' | 'nextBatch', events: Document[], collection: string): Document => ({
    ok: 1,
    cursor: {
      id: Long.fromString(id),
      ns: `${dbName}.${collection}`,
      [batch]: events,
      postBatchResumeToken: { _data: String(lastId) },
    },
  });

  async function answerStream(name: string, command: Document): Promise<Document | undefined> {
    if (name === 'aggregate' && command.pipeline?.[0]?.$changeStream) {
      if (!set.isSet || !set.hasStreams)
        return { ok: 0, code: new Int32(40_573), errmsg: 'The $changeStream stage is only supported on replica sets' };
      const id = String(++lastId);
      streams.set(id, { collection: String(command.aggregate), events: [], wake: () => {} });
      return cursor(id, 'firstBatch', [], String(command.aggregate));
    }
    const id = String(name === 'killCursors' ? command.cursors?.[0] : command.getMore);
    const stream = streams.get(id);
    if (name === 'killCursors') {
      stream?.wake();
      streams.delete(id);
      return { ok: 1, cursorsKilled: [], cursorsNotFound: [], cursorsAlive: [], cursorsUnknown: [] };
    }
    if (name !== 'getMore') return;
    if (!stream) return { ok: 0, code: new Int32(43), codeName: 'CursorNotFound', errmsg: `cursor id ${id} not found` };
    if (stream.events.length === 0) {
      await new Promise<void>((resolve) => {
        stream.wake = resolve;
        setTimeout(resolve, 500);
      });
    }
    return cursor(id, 'nextBatch', stream.events.splice(0), stream.collection);
  }

  async function write(name: string, command: Document): Promise<Document> {
    const db = client.db(String(command.$db));
    const number = command.txnNumber && `${new UUID(command.lsid.id.buffer).toHexString()} ${command.txnNumber}`;
    const before = number && answered.get(number);
    if (before) return before;
    const answer = forward(db, command).then(async (reply) => {
      await publish(name, command, reply);
      return reply;
    });
    if (number) answered.set(number, answer);
    return answer;
  }

  for (const member of [0, 1]) {
    const server = await serveMongo(async (command, socket) => {
      const name = Object.keys(command)[0] ?? '';
      const end = ended?.member === member ? ended.how : undefined;
      if (end === 'is silent') await new Promise((resolve) => socket.once('close', resolve));
      if (end === 'closes' || socket.destroyed) return null;
      if (name === 'hello' && command.topologyVersion) return tell(member, socket);
      if (/^(hello|ismaster)$/i.test(name)) return hello(member);
      if (name === 'endSessions') return { ok: 1 };
      if (end === 'closes late' && WRITES.has(name)) {
        await write(name, command);
        return null;
      }
      if (set.isSet && primary !== member) {
        if (name === 'getMore') streams.delete(String(command.getMore));
        return notPrimary;
      }
      const ofStream = await answerStream(name, command);
      if (ofStream) return ofStream;
      return WRITES.has(name) ? write(name, command) : forward(client.db(String(command.$db)), command);
    });
    members.push(server);
  }
  set.url = `mongodb://${hosts().join(',')}/${dbName}`;
  return set;
}
