// Answers questions about mail by nodemailer and mailparser, which are in the folder that the first argument
// names. Each line of standard input is a JSON object, and each line of standard output its answer:
// {compose: message} is written as raw mail, {read: raw} is read.
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';

const require = createRequire(process.argv[2] + '/');
const nodemailer = require('nodemailer');
const { simpleParser } = require('mailparser');

const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

async function answer({ compose, read }) {
  if (compose) {
    const { message } = await composer.sendMail(compose);
    return { raw: message.toString('base64') };
  }
  const mail = await simpleParser(Buffer.from(read, 'base64'));
  return {
    from: mail.from?.value?.[0],
    to: mail.to?.value?.[0],
    replyTo: mail.replyTo?.value?.[0],
    subject: mail.subject,
    text: mail.text,
    html: mail.html || '',
    messageId: mail.messageId,
    inReplyTo: mail.inReplyTo,
    references: [mail.references ?? []].flat(),
    attachments: mail.attachments.map((a) => ({
      name: a.filename, type: a.contentType, content: a.content.toString('base64'),
    })),
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await answer(JSON.parse(line)).catch((e) => ({ failed: String(e.stack) }));
  console.log(JSON.stringify(reply));
}
