package accounts

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// vouchers implements accounts.VoucherStore.
type vouchers struct{ db *pg.DB }

// Vouchers returns the store of invitations and links for a new password.
func Vouchers(db *pg.DB) accounts.VoucherStore { return vouchers{db} }

// voucherColumns are the columns of vouchers v that voucherRow reads.
const voucherColumns = `
	v.id,
	v.user_id,
	v.kind,
	v.seal,
	v.created_at,
	v.expires_at`

// voucherRow returns the destinations of voucherColumns.
func voucherRow(v *accounts.Voucher) []any {
	return []any{&v.Hash, &v.UserID, &v.Kind, &v.Seal, (*pg.UTC)(&v.Created), (*pg.UTC)(&v.Expires)}
}

// Create stores a voucher. It removes the user's expired vouchers and, if instead is set, those of the same kind.
func (s vouchers) Create(ctx context.Context, v *accounts.Voucher, instead bool) error {
	const create = `
		INSERT INTO vouchers (site_id, id, user_id, kind, seal, created_at, expires_at)
		SELECT u.site_id, @id, u.id, @kind, @seal, @created, @expires
		FROM users u
		WHERE u.site_id = @site
		  AND u.id = @user`
	const sweep = `
		DELETE FROM vouchers
		WHERE site_id = $1
		  AND user_id = $2
		  AND (expires_at <= $3 OR $4 AND kind = $5)`
	return s.db.WriteUnversioned(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(sweep, site, v.UserID, v.Created, instead, v.Kind)
		b.Queue(create, pgx.NamedArgs{
			"site":    site,
			"id":      v.Hash,
			"user":    v.UserID,
			"kind":    v.Kind,
			"seal":    v.Seal,
			"created": v.Created,
			"expires": v.Expires,
		}).Exec(pg.OneRow(accounts.ErrNoUser))
		if v.Kind == accounts.Invitation {
			b.Queue(pg.Heed, site, v.Created)
		}
	})
}

// Find returns the voucher with this hash and its user.
func (s vouchers) Find(ctx context.Context, hash []byte) (*accounts.Voucher, *tenancy.User, error) {
	found, u := &accounts.Voucher{}, &tenancy.User{}
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) { queueVoucher(b, site, hash, found, u) })
	if err != nil {
		return nil, nil, pg.NotFound(err, accounts.ErrNoVoucher)
	}
	return found, u, nil
}

func queueVoucher(b *pgx.Batch, site int64, hash []byte, v *accounts.Voucher, u *tenancy.User) {
	const find = `SELECT` + voucherColumns + `,` + userColumns + `
		FROM vouchers v
		JOIN users u ON u.site_id = v.site_id AND u.id = v.user_id
		WHERE v.site_id = $1
		  AND v.id = $2`
	b.Queue(find, site, hash).QueryRow(pg.One(append(voucherRow(v), userRow(u)...)...))
}

// Redeem changes the user of a voucher, and ends the sessions that the old password had opened. The site is locked,
// so nobody else can use the voucher at the same time.
func (s vouchers) Redeem(ctx context.Context, hash []byte, cut accounts.Cut, passkey *accounts.Passkey,
	change func(*accounts.Voucher, *tenancy.User) error,
) (*tenancy.User, error) {
	const spend = `
		DELETE FROM vouchers
		WHERE site_id = $1
		  AND user_id = $2`
	const end = `
		DELETE FROM sessions
		WHERE site_id = $1
		  AND user_id = $2`
	var after *tenancy.User
	err := s.db.Write(ctx, func(ctx context.Context, t *pg.Tx) error {
		found, u, b := &accounts.Voucher{}, &tenancy.User{}, &pgx.Batch{}
		queueVoucher(b, t.Site, hash, found, u)
		if err := t.Send(ctx, b); err != nil {
			return pg.NotFound(err, accounts.ErrNoVoucher)
		}
		before := *u
		if err := change(found, u); err != nil {
			return err
		}
		updateUser(t, &before, u)
		if passkey != nil {
			switch free, err := createPasskey(ctx, t, passkey); {
			case err != nil:
				return err
			case !free:
				return args.Invalid("passkey", "problem.passkey.taken", nil)
			}
		}
		t.Queue(spend, t.Site, u.ID)
		t.Queue(end, t.Site, u.ID)
		after = u
		return cutOff(ctx, t, u.ID, cut)
	})
	return after, err
}
