// Files that a visitor sends.

const most = 3 << 20; // bytes
const types = ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"];

// attachable reads a file for the service: its name and its content in base64, or an error that names one of the box's
// texts. The service looks at the content itself.
export async function attachable(file) {
  if (!types.includes(file.type)) return { error: "wrong_type" };
  if (file.size > most) return { error: "too_large" };
  const address = await new Promise((done) => {
    const reader = new FileReader();
    reader.onload = reader.onerror = () => done(reader.result);
    reader.readAsDataURL(file);
  });
  if (!address) return { error: "failed" };
  return { name: file.name, data: address.slice(address.indexOf(",") + 1) };
}
